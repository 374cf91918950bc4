package dev.perch.kernel.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table in the message of commit 70fb5ccf2ebb (Linux 6.0): the limit by the utilisation of a cache of 112 and of one of 16 CPUs. */
class IdleScanLimitTest {
    @ParameterizedTest
    @CsvSource({
        "0, 112, 16",
        "5, 111, 15",
        "15, 108, 15",
        "25, 102, 14",
        "35, 93, 13",
        "45, 81, 11",
        "55, 65, 9",
        "65, 47, 6",
        "75, 25, 3",
        "85, 1, 0",
        "86, 0, 0",
    })
    void isThePublishedOne(int percent, int of112, int of16) {
        assertThat(IdleScanLimit.limit(112L * 1024 * percent / 100, 112, 117)).isEqualTo(of112);
        assertThat(IdleScanLimit.limit(16L * 1024 * percent / 100, 16, 117)).isEqualTo(of16);
    }

    @Test
    void staysAtNothingWhenTheCacheIsFull() {
        assertThat(IdleScanLimit.limit(112L * 1024, 112, 117)).isZero();
    }

    @Test
    void isNothingUntilTheFirstBalance() {
        IdleScanLimit limit = new IdleScanLimit(16);
        assertThat(limit.of(0)).isZero();
        limit.update(0, 0, 16, 117);
        assertThat(limit.of(0)).isEqualTo(16);
    }
}
