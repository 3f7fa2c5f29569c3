/**
 * File of a form (RFC 7578), found by its boundary. Our own parser: `formData()` makes an object of every part first,
 * which takes a second and more if there are many.
 */
import { refuse } from '../../domain/errors.ts'

const PARTS_MAX = 10
const HEADER_BYTES_MAX = 2048
const HEADER_END = '\r\n\r\n'

/**
 * Finds the content of the first part with this name; undefined if there is none, or it is no file. Ignores what
 * follows. Refuses `malformed_request` for what is no form, with headers of at most 2 KiB, and `invalid_file` if the
 * file is not among the first ten parts.
 */
export function fileIn(form: Buffer, contentType: string, field: string): Buffer | undefined {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const delimiter = `\r\n--${quoted ?? token ?? notMultipart()}`
  let at = startsWith(form, 0, delimiter.slice(2)) ? delimiter.length - 2 : notMultipart()
  for (let count = 0; count < PARTS_MAX; count += 1) {
    if (startsWith(form, at, '--')) return undefined
    const headerLength = form.subarray(at, at + HEADER_BYTES_MAX).indexOf(HEADER_END)
    const begin = at + headerLength + HEADER_END.length
    const end = headerLength < 0 ? -1 : form.indexOf(delimiter, begin)
    if (end < 0 || !startsWith(form, at, '\r\n')) notMultipart()
    const { name, isFile } = dispositionIn(form.toString('utf8', at, at + headerLength))
    if (name === field) return isFile ? form.subarray(begin, end) : undefined
    at = end + delimiter.length
  }
  refuse('invalid_file', { reason: 'too_many_parts' })
}

const startsWith = (form: Buffer, at: number, text: string): boolean =>
  form.toString('latin1', at, at + text.length) === text

function dispositionIn(header: string): { name: string | undefined; isFile: boolean } {
  const [, given = ''] = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(header) ?? []
  const parameters = new Map<string, string>()
  for (const [, key = '', quoted, token] of given.matchAll(/;\s*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g)) {
    parameters.set(key.toLowerCase(), quoted ?? token ?? '')
  }
  return { name: parameters.get('name'), isFile: parameters.has('filename') || parameters.has('filename*') }
}

const notMultipart = (): never => refuse('malformed_request', { reason: 'not_multipart' })
