import { expect, test } from 'vitest'
import { fileIn } from '../../api/http/multipart.ts'
import { Refusal } from '../../domain/errors.ts'

const TYPE = 'multipart/form-data; boundary=edge'
const DATA = 'content-disposition: form-data'
const FILE = 'content-disposition: form-data; name="file"; filename="a.png"'
const part = (header: string, content = 'bytes') => `--edge\r\n${header}\r\n\r\n${content}\r\n`
const form = (...parts: string[]) => `${parts.join('')}--edge--\r\n`

function read(body: string, type = TYPE): unknown {
  try {
    return fileIn(Buffer.from(body, 'latin1'), type, 'file')?.toString('latin1')
  } catch (error) {
    if (error instanceof Refusal) return [error.type, error.details?.['reason']]
    throw error
  }
}

const notMultipart = ['malformed_request', 'not_multipart']

test.each([
  ['alone', form(part(FILE)), 'bytes'],
  ['after a text', form(part('content-disposition: form-data; name="note"', 'hello'), part(FILE)), 'bytes'],
  ['with more headers', form(part(`content-type: image/png\r\n${FILE}\r\nx-more: 1`)), 'bytes'],
  ['in capitals and without quotes', form(part('Content-Disposition: Form-Data; NAME=file; FileName=a.png')), 'bytes'],
  ['named in another alphabet only', form(part(`${DATA}; name="file"; filename*=UTF-8''%e2%82%ac`)), 'bytes'],
  ['whose name looks like another one', form(part(`${DATA}; filename="a; name=other"; name="file"`)), 'bytes'],
  ['empty', form(part(FILE, '')), ''],
  ['with what looks like an edge', form(part(FILE, '--edge\r\n\r\n--edg\r\nx')), '--edge\r\n\r\n--edg\r\nx'],
  ['of any bytes', form(part(FILE, '\0\r\n\xff')), '\0\r\n\xff'],
  ['before another one', form(part(FILE, 'first'), part(FILE, 'second')), 'first'],
  ['the tenth of all', form(...Array<string>(9).fill(part(`${DATA}; name="a"`)), part(FILE)), 'bytes'],
])('a file that stands %s', (_, body, content) => expect(read(body)).toBe(content))

test('the edge may stand in quotes, and hold what an expression would read otherwise', () => {
  const edge = `a.*+(b)?[]'=,:/ _`
  expect(
    read(form(part(FILE)).replaceAll('edge', edge), `multipart/form-data; charset=utf-8; Boundary="${edge}"`),
  ).toBe('bytes')
})

test.each([
  ['of another name', form(part('content-disposition: form-data; name="other"; filename="file"'))],
  ['that is a text', form(part('content-disposition: form-data; name="file"'))],
  ['named in its content only', form(part('content-type: text/plain', FILE))],
  ['in no form', form()],
])('a part %s is none', (_, body) => expect(read(body)).toBe(undefined))

test.each([
  ['no edge in its type', form(part(FILE)), 'multipart/form-data'],
  ['an edge of 71 characters', form(part(FILE)), `multipart/form-data; boundary=${'e'.repeat(71)}`],
  ['another edge', form(part(FILE)), 'multipart/form-data; boundary=other'],
  ['something in front', `x${form(part(FILE))}`, TYPE],
  ['no end of the file', `--edge\r\n${FILE}\r\n\r\nbytes`, TYPE],
  ['no end of the headers', `--edge\r\n${FILE}\r\n--edge--`, TYPE],
  ['headers of more than 2 KiB', form(part(`x: ${'x'.repeat(2048)}\r\n${FILE}`)), TYPE],
  ['an edge that goes on', `--edgewise\r\n${FILE}\r\n\r\nbytes\r\n--edge--`, TYPE],
  ['nothing', '', TYPE],
])('what has %s is no form', (_, body, type) => expect(read(body, type)).toEqual(notMultipart))

test('more than ten parts are refused, but for what comes after the file', () => {
  const nothing = Array<string>(50_000).fill(part('x: y', ''))
  expect(read(form(...nothing))).toEqual(['invalid_file', 'too_many_parts'])
  expect(read(form(part(FILE), ...nothing))).toBe('bytes')
})
