package dev.latchkey.config;

/// `cache`.
///
/// @param size recorded responses in memory, in bytes; 0: none
public record CacheSettings(long size) {

    public CacheSettings {
        new Checks().sizeBetween(size, 0, SizeText.LARGEST, "size").done();
    }

    public static CacheSettings defaults() {
        return new CacheSettings(64 * SizeText.MIB);
    }
}
