/** Ids of Increase: those of its sandbox, with our UUID in 25 letters of base 36, and a mark of what is made of it. */
import { v5 } from 'uuid'
import { isUuid } from '../../../domain/ids.ts'

const LETTERS = 25
const NAMESPACE = '0a3f7c1e-5d0b-4a53-9e57-4c5b0e6f2d11'

/** Writes the id of an object of this type. */
export const idOf = (type: string, uuid: string, mark = ''): string =>
  `sandbox_${type}_${BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(36)
    .padStart(LETTERS, '0')}${mark}`

/** Reads an id; undefined for one of another type, and for none of ours. */
export function readId(type: string, text: string): { readonly uuid: string; readonly mark: string } | undefined {
  const before = `sandbox_${type}_`
  const code = text.slice(before.length)
  if (!text.startsWith(before) || !/^[0-9a-z]{25,40}$/.test(code)) return undefined
  let number = 0n
  for (const letter of code.slice(0, LETTERS)) number = number * 36n + BigInt(Number.parseInt(letter, 36))
  const hex = number.toString(16).padStart(32, '0')
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(uuid) ? { uuid, mark: code.slice(LETTERS) } : undefined
}

/** Makes the id in the books of what a key creates: the key, if it is a UUID. */
export const uuidOfKey = (key: string): string => (isUuid(key) ? key : v5(key, NAMESPACE))
