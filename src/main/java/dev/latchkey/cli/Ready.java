package dev.latchkey.cli;

import dev.latchkey.config.Listen;
import dev.latchkey.config.Settings;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;

/// Says where a gateway listens: the port that it got, where it asked for any.
final class Ready {

    private static final Log LOG = Log.of(Ready.class);

    private Ready() {}

    static void log(Settings settings, RunningGateway gateway) {
        LOG.info(
                LogEvent.READY,
                "calls",
                url(settings.listen(), gateway.port()),
                "management",
                url(settings.management(), gateway.managementPort()),
                "port",
                gateway.port(),
                "management_port",
                gateway.managementPort(),
                "version",
                Version.text());
    }

    static String url(Listen listen, int port) {
        String host = listen.host().contains(":") ? "[" + listen.host() + "]" : listen.host();
        return (listen.tls() == null ? "http://" : "https://") + host + ":" + port;
    }
}
