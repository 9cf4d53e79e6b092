# Latchkey's image: `docker build -t latchkey .` or `podman build --format docker -t latchkey .` (HEALTHCHECK is Docker's).
# For a release, pin both by digest: --build-arg RUN_IMAGE=docker.io/library/eclipse-temurin:25-jre@sha256:…
ARG BUILD_IMAGE=docker.io/library/maven:3.9-eclipse-temurin-25
ARG RUN_IMAGE=docker.io/library/eclipse-temurin:25-jre

FROM ${BUILD_IMAGE} AS build
WORKDIR /build
# The dependencies are made from the pom alone, so that their layer changes with the pom and not with the code. Embedded
# PostgreSQL is for the quick start: a replica that made its own ledger would protect nothing.
COPY pom.xml ./
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -ntp dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=/build/lib \
        -DexcludeGroupIds=io.zonky.test,io.zonky.test.postgres \
    && find lib -exec touch -d 2026-01-01T00:00:00Z {} +
COPY .mvn .mvn
COPY openapi openapi
COPY src src
RUN --mount=type=cache,target=/root/.m2 \
    mvn -B -q -ntp -Dmaven.test.skip=true package \
    && mkdir /build/embedded && cp target/lib/embedded-postgres*.jar /build/embedded/

FROM ${RUN_IMAGE} AS program
COPY --from=build /build/lib /opt/latchkey/lib
COPY --from=build /build/target/latchkey.jar /build/src/main/image/healthy.sh /opt/latchkey/

# Java reads and links beforehand what a gateway needs to start and to take calls: on the very Java, files and
# collector that it will run with, for a cache made of others is left aside.
FROM program AS training
COPY --from=build /build/embedded /training/lib
COPY --from=build /build/src/main/image/train.sh /training/
# PostgreSQL wants to know the name of its user.
RUN echo 'training:x:10001:10001::/tmp:' >>/etc/passwd
USER 10001:10001
RUN bash /training/train.sh /tmp/latchkey.aot -XX:+UseG1GC -XX:MaxRAMPercentage=70

FROM program
LABEL org.opencontainers.image.title="latchkey" \
      org.opencontainers.image.description="An HTTP idempotency-key gateway"
ENV LANG=C.UTF-8
COPY --from=training --chown=0:0 /tmp/latchkey.aot /opt/latchkey/latchkey.aot
# By number, so that runAsNonRoot can tell. Nothing in the image is writable for it; a read-only root needs a tmpfs at
# /tmp.
USER 10001:10001
WORKDIR /tmp
# 8080: calls. 9090: health, metrics, operators; never public.
EXPOSE 8080 9090
# Where the settings move the management port, LATCHKEY_MANAGEMENT_PORT says so here. Kubernetes has probes of its own.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["bash", "/opt/latchkey/healthy.sh"]
# The collector is named: with one CPU or under 2 GB the JVM would pick the serial one. Without its cache Java only starts
# more slowly. Its heap begins with a quarter of the memory: with the usual 64th it was collected a dozen times in a start. Its
# better compiler comes in after eight times the usual number of calls: on one CPU it took a start, and the first thousands
# of calls, more time than it gave. More flags: JAVA_TOOL_OPTIONS.
ENTRYPOINT ["java", "-XX:AOTCache=/opt/latchkey/latchkey.aot", "-XX:+UseG1GC", "-XX:InitialRAMPercentage=25", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-XX:Tier4InvocationThreshold=40000", "-XX:Tier4MinInvocationThreshold=4800", "-XX:Tier4CompileThreshold=120000", "-XX:Tier4BackEdgeThreshold=320000", "-jar", "/opt/latchkey/latchkey.jar"]
CMD ["serve", "--config", "/etc/latchkey/latchkey.yaml"]
