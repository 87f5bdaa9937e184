# The table in a container, for amd64 and arm64: everything machine-coded comes prebuilt, nothing is compiled here.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN CI=true node scripts/setup.mjs
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build --chown=node:node /app /app
# Trays belong to the group dialout; /data is made here so that a new volume belongs to the user of the daemon.
RUN mkdir -p /data && chown node:node /data && usermod -aG dialout node
USER node
# Inside a container nothing comes from "this computer": a token is always needed, and all addresses are listened on.
ENV TIRO_DATA_DIR=/data TIRO_HTTP_HOST=0.0.0.0 TIRO_HTTP_TRUST_LOOPBACK=false
EXPOSE 8706
VOLUME /data
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.TIRO_HTTP_PORT??8706)+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
