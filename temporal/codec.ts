/** Payload codec: seals requests and failures that Temporal stores; bare text (summaries) stays readable. */
import type { Payload, PayloadCodec } from '@temporalio/common'
import { decrypt, encrypt } from '../platform/encryption.ts'
import proto from '@temporalio/proto'

const ENCODING = 'binary/encrypted'
const QUOTE = '"'.charCodeAt(0)
const utf8 = (text: string) => new TextEncoder().encode(text)
const marked = utf8(ENCODING)

/**
 * Summaries and details for operators: bare JSON strings, which no workflow passes as an argument. Everything else is
 * sealed with AES-256-GCM under a key id, so that keys rotate.
 */
export const codec: PayloadCodec = {
  encode: async (payloads) => payloads.map(encode),
  decode: async (payloads) => payloads.map(decode),
}

function encode(payload: Payload): Payload {
  if (payload.data?.[0] === QUOTE || !payload.data?.length) return payload
  const plain = proto.temporal.api.common.v1.Payload.encode(payload).finish()
  return { metadata: { encoding: marked }, data: encrypt(plain) }
}

/** Opens a payload that encode() sealed; returns any other unchanged. */
export function decode(payload: Payload): Payload {
  const encoding = payload.metadata?.['encoding']
  if (!encoding || !payload.data || Buffer.from(encoding).toString() !== ENCODING) return payload
  return proto.temporal.api.common.v1.Payload.decode(decrypt(payload.data))
}
