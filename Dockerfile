# The server on any machine: a GPU's Vulkan driver where the runtime brings one (docker run --gpus all,
# or --device /dev/dri), Mesa's lavapipe where it does not.
FROM debian:bookworm-slim AS build
COPY deploy/packages /thalweg/deploy/packages
RUN /thalweg/deploy/packages build bundle
COPY . /thalweg
WORKDIR /thalweg
RUN cmake --preset quickstart \
  && cmake --build --preset quickstart --target thalwegd thalweg \
  && deploy/bundle --build build/quickstart --folder --out /opt/thalweg

FROM debian:bookworm-slim
COPY deploy/packages /usr/local/sbin/thalweg-packages
RUN thalweg-packages run image && apt-get clean && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/thalweg /opt/thalweg
# Vulkan is graphics to NVIDIA's runtime, which mounts no Vulkan driver for compute alone.
ENV NVIDIA_DRIVER_CAPABILITIES=graphics,compute,utility PATH=/opt/thalweg/bin:/usr/bin:/bin HOME=/tmp
USER 10001:10001
EXPOSE 7070
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["thalweg", "health", "--server", "127.0.0.1:7070"]
ENTRYPOINT ["thalwegd"]
# Within its container: how far it can be reached is docker's -p, see deploy/README.md.
CMD ["serve", "--listen", "0.0.0.0:7070", "--allow-insecure"]
