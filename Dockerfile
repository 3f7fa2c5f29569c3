# One image for every process of the service; the command says which (see docker-compose.yml):
#   node dist/server.js | node dist/worker.js | node dist/db/migrate.js | node dist/deploy.js | node dist/admin.js …

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# dist/ has sbom.json, the bill of materials (CycloneDX), too.
RUN npm run build
# The image has a Node of its own.
RUN npm prune --omit=dev && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps
# Other containers and published ports reach a process on all addresses only.
ENV HOST=0.0.0.0
# Which code this is: runs stay with the build that started them.
ARG BUILD_ID
ENV BUILD_ID=${BUILD_ID}
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# Files that people send, unless they are in a bucket: a volume, which API and workers share.
ENV DATA_DIR=/data
RUN install -d -o node -g node /data
# By number: Kubernetes compares it with runAsNonRoot.
USER 1000:1000
EXPOSE 3000
CMD ["node", "dist/server.js"]
