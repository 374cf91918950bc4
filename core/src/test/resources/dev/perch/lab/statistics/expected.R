# Writes expected-r.csv: what R says of the samples in samples.csv. Rscript expected.R > expected-r.csv   (R 4.2.2)
samples <- read.csv("samples.csv", colClasses = "character")
cat("case,quantity,value\n")
numbers <- function(text) as.numeric(strsplit(text, " ")[[1]])
for (i in seq_len(nrow(samples))) {
  x <- numbers(samples$first[i]); y <- numbers(samples$second[i])
  out <- function(quantity, value) cat(sprintf("%s,%s,%.17g\n", samples$case[i], quantity, value))
  w <- t.test(x, y)
  out("mean", mean(x)); out("median", median(x)); out("stddev", sd(x))
  interval <- t.test(x)$conf.int
  out("mean low", interval[1]); out("mean high", interval[2])
  out("welch t", w$statistic); out("welch df", w$parameter); out("welch p", w$p.value)
  ties <- length(unique(c(x, y))) < length(x) + length(y)
  u <- suppressWarnings(wilcox.test(x, y, exact = !ties, correct = TRUE))
  out("u", u$statistic); out("u p", u$p.value)
}
