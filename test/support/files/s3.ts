/** An S3 server for the tests of one file, started before the configuration is read. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver, { type Asked } from 's3rver'
import { freePort } from '../../../dev/machine/ports.ts'

export type BucketServer = { url: string; port: number; folder: string; stop: () => Promise<void> }

/** Starts it with an empty bucket; requests wait for `before`. */
export async function startBucket(
  bucket: string,
  before: (asked: Asked) => Promise<void> = async () => {},
): Promise<BucketServer> {
  const [directory, port] = [mkdtempSync(join(tmpdir(), 'bucket-')), await freePort()]
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  })
  server.middleware.unshift(async (asked, next) => {
    await before(asked)
    return next()
  })
  await server.run()
  return {
    url: `s3://${bucket}?region=eu-central-1&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    port,
    folder: directory,
    stop: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' } as const
