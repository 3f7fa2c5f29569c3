/** Files that are attached to things. */
import { type Answer, type TestPerson, api } from '../api.ts'
import { send } from '../files/files.ts'
import { black, png } from '../files/png.ts'

/** Names a thing by the last part of its path: `payments/<id>`. */
export const attachmentsOf = (organizationId: string, thing: string): string =>
  `/organizations/${organizationId}/${thing}/attachments`

let made = 0

/** A picture that is like no other. */
export function picture(): Buffer {
  made += 1
  return png(8 + made, 8, black(8 + made, 8))
}

/** Sends a file to a new slot of a thing; answers its id. */
export async function sendTo(
  { token }: TestPerson,
  path: string,
  bytes = picture(),
  type = 'image/png',
  name = 'offer.png',
) {
  const slot = await api('POST', path, {
    token,
    body: { filename: name, byte_size: bytes.length, content_type: type },
  })
  if (slot.status !== 201) throw new Error(`slot: ${JSON.stringify(slot.body)}`)
  const sent = await send(slot.body, bytes)
  if (sent.status !== 200) throw new Error(`upload: ${JSON.stringify(sent.body)}`)
  return slot.body.id as string
}

export const attachSent = ({ token }: TestPerson, path: string, fileId: string): Promise<Answer> =>
  api('POST', `${path}/${fileId}`, { token, body: {} })

/** Sends a file and attaches it; answers its id. */
export async function attach(by: TestPerson, path: string, name = 'offer.png'): Promise<string> {
  const fileId = await sendTo(by, path, picture(), 'image/png', name)
  const answer = await attachSent(by, path, fileId)
  if (answer.status !== 200) throw new Error(`attachment: ${JSON.stringify(answer.body)}`)
  return fileId
}

export const detach = ({ token }: TestPerson, path: string, fileId: string): Promise<Answer> =>
  api('DELETE', `${path}/${fileId}`, { token })
