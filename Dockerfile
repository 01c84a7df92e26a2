# Canopy as an image: docs/deploy.md.
#   docker build --tag canopy .
#   docker run --publish 8080:8080 --volume canopy:/data canopy

FROM node:22-bookworm-slim AS build
WORKDIR /build
# No package needs code at its installation: what is native is prebuilt.
COPY package.json package-lock.json ./
COPY packages packages
RUN ["npm", "ci", "--ignore-scripts"]
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY bin bin
COPY src src
COPY locales locales
COPY migrations migrations
COPY profiles profiles
COPY addons addons
RUN ["npm", "run", "build"]
RUN ["npm", "prune", "--omit=dev", "--ignore-scripts"]

FROM node:22-bookworm-slim
# Nothing is installed in a running container.
RUN ["rm", "-rf", "/usr/local/lib/node_modules", "/usr/local/bin/npm", "/usr/local/bin/npx", "/usr/local/bin/corepack", "/opt"]
WORKDIR /canopy
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/packages packages
COPY --from=build /build/dist/bin dist/bin
COPY --from=build /build/dist/bundle dist/bundle
COPY --from=build /build/dist/cluster.tar.gz dist/cluster.tar.gz
COPY --from=build /build/dist/engine-code dist/engine-code
COPY --from=build /build/dist/manage dist/manage
COPY --from=build /build/dist/swagger-ui dist/swagger-ui
COPY --from=build /build/locales locales
COPY --from=build /build/migrations migrations
COPY --from=build /build/profiles profiles
COPY --from=build /build/addons addons
COPY examples/addon examples/addon
COPY LICENSE ./
# Any user of the group 0 may write there: the ids of some platforms are not known before the start.
RUN ["mkdir", "--mode=0770", "/data"]
RUN ["chown", "10001:0", "/data"]
VOLUME /data
# The root may be read-only: temporary files, and the compiled code that Node keeps for the next start, are with the data.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data TMPDIR=/data NODE_COMPILE_CACHE=/data/compile-cache
EXPOSE 8080
USER 10001:0
# In the form of a list: the program gets the signals that end it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "require('node:http').get({ port: process.env.PORT || 8080, path: '/@health', timeout: 4000 }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on('timeout', () => process.exit(1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--v8-pool-size=1", "dist/bin/canopy.js"]
CMD ["start"]
