package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CpuTest {

    @Test
    void aProcessIsReadByTheEndOfItsName() {
        Cpu.Stat stat = Cpu.Stat.parse(
                "4711 (a (strange) name) 9) S 17 4711 4711 0 -1 4194560 1 2 3 4 500 70 1100 13 20 0 1 0 99 8192 7");
        assertThat(stat).isEqualTo(new Cpu.Stat(17, 570, 1113));
    }

    @Test
    void aThreadIsReadToTheNanosecond() {
        assertThat(Cpu.nanos("1250980 516303 1\n")).isEqualTo(1_250_980);
    }
}
