package dev.latchkey.cli;

/// The version that was built, from the jar; `development` where there is no jar.
public final class Version {

    private Version() {}

    /// As the manifest of the jar says.
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
