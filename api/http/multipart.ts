/**
 * File of a form (RFC 7578), found by its boundary. Our own parser: `formData()` makes an object of every part first,
 * which takes a second and more if there are many.
 */
import { refuse } from '../../domain/errors.ts'

const PARTS_MAX = 10
const HEADER_BYTES_MAX = 2048
const HEADER_END = '\r\n\r\n'

export type Part = {
  readonly name: string | undefined
  /** Name of the file as its sender gave it; undefined for a value. */
  readonly filename: string | undefined
  readonly content: Buffer
}

/**
 * Finds the content of the first part with this name; undefined if there is none, or it is no file. Ignores what
 * follows. Refuses as partsIn().
 */
export function fileIn(form: Buffer, contentType: string, field: string): Buffer | undefined {
  for (const { name, filename, content } of partsIn(form, contentType, PARTS_MAX))
    if (name === field) return filename === undefined ? undefined : content
  return undefined
}

/**
 * Yields the parts of a form, in their order. Refuses `malformed_request` for what is no form, with headers of at most
 * 2 KiB, and `invalid_file` beyond the most parts.
 */
export function* partsIn(form: Buffer, contentType: string, max: number): Generator<Part, void> {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? token ?? notMultipart()}`
  let at = startsWith(form, 0, delimiter.slice(2)) ? delimiter.length - 2 : notMultipart()
  for (let count = 0; count < max; count += 1) {
    if (startsWith(form, at, '--')) return
    const headerLength = form.subarray(at, at + HEADER_BYTES_MAX).indexOf(HEADER_END)
    const begin = at + headerLength + HEADER_END.length
    const end = headerLength < 0 ? -1 : form.indexOf(delimiter, begin)
    if (end < 0 || !startsWith(form, at, '\r\n')) notMultipart()
    yield { ...dispositionIn(form.toString('utf8', at, at + headerLength)), content: form.subarray(begin, end) }
    at = end + delimiter.length
  }
  refuse('invalid_file', { reason: 'too_many_parts' })
}

const startsWith = (form: Buffer, at: number, text: string): boolean =>
  form.toString('latin1', at, at + text.length) === text

function dispositionIn(header: string): Pick<Part, 'name' | 'filename'> {
  const [, given = ''] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(header) ?? []
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, token] of given.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    parameters.set(key.toLowerCase(), quoted ?? token ?? '')
  }
  return { name: parameters.get('name'), filename: parameters.get('filename') ?? parameters.get('filename*') }
}

const notMultipart = (): never => refuse('malformed_request', { reason: 'not_multipart' })
