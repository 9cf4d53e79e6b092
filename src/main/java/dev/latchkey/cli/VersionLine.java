package dev.latchkey.cli;

import picocli.CommandLine.IVersionProvider;

/// What `--version` prints.
final class VersionLine implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"latchkey " + Version.text() + " on Java " + Runtime.version().feature()};
    }
}
