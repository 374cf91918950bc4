package dev.perch.host.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.perch.model.InputException;
import org.junit.jupiter.api.Test;

class BufferSizeTest {
    private static final int MIB = 1 << 20;
    private static final long GIB_KB = 1 << 20;

    @Test
    void usualBuffersAreNoMoreThanAShareOfTheMachine() {
        assertThat(BufferSize.of(0, 2, 16 * GIB_KB)).isEqualTo(16 * MIB);
        assertThat(BufferSize.of(0, 2, 0)).isEqualTo(16 * MIB);
        // Of 256 MiB a sixteenth, for two CPUs; 128 CPUs share 512 MiB.
        assertThat(BufferSize.of(0, 2, GIB_KB / 4)).isEqualTo(8 * MIB);
        assertThat(BufferSize.of(0, 128, 1024 * GIB_KB)).isEqualTo(4 * MIB);
        assertThat(BufferSize.of(0, 4096, GIB_KB)).isEqualTo(MIB / 16);
    }

    @Test
    void wantedSizesAreRoundedUpToPowersOfTwo() {
        assertThat(BufferSize.of(MIB, 128, GIB_KB)).isEqualTo(MIB);
        assertThat(BufferSize.of(3L * MIB, 2, GIB_KB)).isEqualTo(4 * MIB);
        assertThat(BufferSize.of(1L << 30, 2, GIB_KB)).isEqualTo(1 << 30);
        assertThatThrownBy(() -> BufferSize.of(2L << 30, 2, GIB_KB))
                .isInstanceOf(InputException.class)
                .hasMessageContaining("more than 1G");
    }
}
