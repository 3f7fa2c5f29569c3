/** Storage in a bucket of S3 or compatible. Its rule removes abandoned uploads (docs/decisions/files.md). */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { Disk } from 'flydrive'
import { S3Driver } from 'flydrive/drivers/s3'
import { type Bucket, config } from '../config.ts'
import type { Backend, Key, Pieces } from './storage.ts'

/** Part size: S3 takes at most 10,000 parts of 5 MiB and more, here up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024
const ATTEMPTS = 3

/** Keeps objects in this bucket. A multipart object appears once all its parts are there. */
export function objectsIn({ name, region, endpoint }: Bucket): Backend {
  const client = new S3Client({
    region,
    ...(endpoint && { endpoint, forcePathStyle: true }),
    maxAttempts: ATTEMPTS,
    requestChecksumCalculation: 'WHEN_REQUIRED', // others than AWS know no other
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: config.partnerTimeoutMs, requestTimeout: config.partnerTimeoutMs },
  })
  return {
    disk: new Disk(new S3Driver({ client, bucket: name, visibility: 'private', supportsACL: false })),
    put: (key, content) => put(client, { Bucket: name, Key: key }, content),
    check: async () => void (await client.send(new HeadBucketCommand({ Bucket: name }))),
    removeParts: async () => {},
    uploadUrl: (key, { byteSize, contentType }, seconds) =>
      getSignedUrl(
        client,
        new PutObjectCommand({ Bucket: name, Key: key, ContentLength: byteSize, ContentType: contentType }),
        { expiresIn: seconds, signableHeaders: new Set(['host', 'content-length', 'content-type']) },
      ),
  }
}

type Target = { readonly Bucket: string; readonly Key: Key }

async function put(client: S3Client, target: Target, content: Pieces): Promise<void> {
  const parts = partsOf(content)
  const { value: first } = await parts.next()
  if (!first || first.length < PART_BYTES) {
    await client.send(new PutObjectCommand({ ...target, Body: first ?? Buffer.alloc(0) }))
    return
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  try {
    const done: { readonly ETag: string | undefined; readonly PartNumber: number }[] = []
    for (let part: Buffer | void = first; part; part = (await parts.next()).value) {
      const PartNumber = done.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }))
      done.push({ ETag, PartNumber })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: done } }))
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {}) // else the bucket's rule does it
    throw error
  }
}

async function* partsOf(content: Pieces): AsyncGenerator<Buffer, void> {
  const part = Buffer.allocUnsafe(PART_BYTES)
  let length = 0
  for await (const piece of content) {
    for (let at = 0; at < piece.byteLength;) {
      const taken = piece.subarray(at, at + PART_BYTES - length)
      part.set(taken, length)
      length += taken.byteLength
      at += taken.byteLength
      if (length < PART_BYTES) continue
      yield part
      length = 0
    }
  }
  if (length > 0) yield part.subarray(0, length)
}
