package dev.latchkey.cli;

import picocli.CommandLine.IVersionProvider;

/// The version that was built, from the jar; `development` where there is no jar.
public final class Version implements IVersionProvider {

    /// As the manifest of the jar says.
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {"latchkey " + text() + " on Java " + Runtime.version().feature()};
    }
}
