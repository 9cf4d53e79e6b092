package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void aDevicesNumberIsTakenApartAsLinuxPacksIt() {
        assertThat(Machine.device(0xfe00)).isEqualTo("254:0");
        assertThat(Machine.device(0x10301)).isEqualTo("259:1");
        assertThat(Machine.device(0x11032c)).isEqualTo("259:300");
    }
}
