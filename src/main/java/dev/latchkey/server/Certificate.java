package dev.latchkey.server;

import dev.latchkey.gateway.Upkeep;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.tls.LatestTls;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/// A port's certificate: looked at in rounds, and taken anew when its files have changed. While new ones are unfit the
/// former stay. Connections that are open keep what they began with. Safe for any number of threads.
final class Certificate implements Upkeep.Task {

    private static final Log LOG = Log.of(Certificate.class);

    private final LatestTls latest;
    private final SslContextFactory.Server factory = new SslContextFactory.Server();
    private volatile boolean stale;

    Certificate(Tls tls) {
        this.latest = tls.latest();
        factory.setSslContext(latest.last());
        factory.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        factory.setWantClientAuth(tls.clients() == Tls.Clients.WANTED);
        factory.setNeedClientAuth(tls.clients() == Tls.Clients.REQUIRED);
    }

    SslContextFactory.Server factory() {
        return factory;
    }

    /// Whether new files are unfit, so that the former certificate is shown.
    boolean isStale() {
        return stale;
    }

    @Override
    public LogEvent event() {
        return LogEvent.CERTIFICATE;
    }

    @Override
    public int runOnce() {
        try {
            if (!latest.renew()) {
                return 0;
            }
            factory.reload(each -> each.setSslContext(latest.last()));
            stale = false;
            return 1;
        } catch (Exception e) {
            stale = true;
            LOG.warn(LogEvent.CERTIFICATE_UNFIT, "reason", String.valueOf(e.getMessage()));
            return 0;
        }
    }
}
