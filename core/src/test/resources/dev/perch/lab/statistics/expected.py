#!/usr/bin/env python3
"""Writes expected.csv: what scipy says of the samples in samples.csv.

python3 expected.py > expected.csv        (scipy 1.17.1, numpy)
Rscript expected.R  > expected-r.csv      (R 4.2.2)
"""
import csv, os, numpy as np, scipy.stats as st
from scipy.special import gammaln

here = os.path.dirname(os.path.abspath(__file__))
print("case,quantity,value")
for row in csv.DictReader(open(os.path.join(here, "samples.csv"))):
    case = row["case"]
    x = np.array([float(v) for v in row["first"].split()])
    y = np.array([float(v) for v in row["second"].split()])

    def out(quantity, value):
        print(f"{case},{quantity},{float(value)!r}")

    out("mean", x.mean())
    out("median", np.median(x))
    out("stddev", x.std(ddof=1))
    out("hmean", st.hmean(x))
    out("gmean", st.gmean(x))
    half = st.t.interval(0.95, len(x) - 1, loc=x.mean(), scale=st.sem(x))
    out("mean low", half[0])
    out("mean high", half[1])
    welch = st.ttest_ind(x, y, equal_var=False)
    out("welch t", welch.statistic)
    out("welch df", welch.df)
    out("welch p", welch.pvalue)
    pooled = st.ttest_ind(x, y, equal_var=True)
    ties = len(set(x) | set(y)) < len(x) + len(y)
    mwu = st.mannwhitneyu(x, y, method="asymptotic" if ties else "exact")
    out("u", mwu.statistic)
    out("u p", mwu.pvalue)
    out("a12", np.mean([(b > a) + 0.5 * (b == a) for a in x for b in y]))
    n, m = len(x), len(y)
    d = (y.mean() - x.mean()) / np.sqrt(((n - 1) * x.var(ddof=1) + (m - 1) * y.var(ddof=1)) / (n + m - 2))
    f = n + m - 2
    out("cohen d", d)
    out("hedges g", d * np.exp(gammaln(f / 2) - gammaln((f - 1) / 2)) / np.sqrt(f / 2))
    a, b = x.var(ddof=1) / n / x.mean() ** 2, y.var(ddof=1) / m / y.mean() ** 2
    df = (a + b) ** 2 / (a * a / (n - 1) + b * b / (m - 1))
    width = st.t.ppf(0.975, df) * np.sqrt(a + b)
    out("ratio low", y.mean() / x.mean() * np.exp(-width))
    out("ratio high", y.mean() / x.mean() * np.exp(width))
    def ends(name, result):
        """Each end as a range: two tools draw different samples, so they may read quantiles that lie 0.002 apart."""
        drawn = np.sort(result.bootstrap_distribution)
        for end, value in zip(("low", "high"), result.confidence_interval):
            ranks = np.mean(drawn < value) - 0.002, np.mean(drawn <= value) + 0.002
            out(f"{name} {end} from", np.quantile(drawn, max(0, ranks[0])))
            out(f"{name} {end} to", np.quantile(drawn, min(1, ranks[1])))

    for kind in ("percentile", "BCa"):
        options = dict(method=kind, n_resamples=200000, batch=2000, vectorized=True, rng=np.random.default_rng(7))
        ends(f"{kind.lower()} mean", st.bootstrap((x,), np.mean, **options))
        ends(f"{kind.lower()} ratio", st.bootstrap((x, y), lambda p, q, axis: q.mean(axis=axis) / p.mean(axis=axis), **options))
