package dev.latchkey;

/// Which version runs.
final class Version {

    private Version() {}

    /// As the jar's manifest says; `development` where there is no jar.
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
