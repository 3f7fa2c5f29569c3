/** Answers as a client of the last release reads them: RELEASED_CONTRACT=1 compares each with its schema there. */
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { API_ROOT, type Route } from '../../../api/http/route.ts'

const RELEASED = 'openapi.released.json'

type Answered = { readonly status: number; readonly body: unknown }

let released: { readonly document: any; readonly ajv: Ajv2020 } | undefined
const validators = new Map<string, ValidateFunction | undefined>()

/** Reads the released document once. */
function read() {
  if (released) return released
  const document = JSON.parse(readFileSync(RELEASED, 'utf8'))
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  addFormats.default(ajv)
  ajv.addSchema(document, RELEASED)
  released = { document, ajv }
  return released
}

/** Finds the validator of an answer; undefined if the release has no such operation or answer in JSON. */
function validatorOf({ root, path, method }: Route, status: number): ValidateFunction | undefined {
  const place = `${root ? '' : API_ROOT}${path}`
  const key = `${method} ${place} ${status}`
  if (validators.has(key)) return validators.get(key)
  const { document, ajv } = read()
  const answer = document.paths[place]?.[method]?.responses[status]
  const [name, pointer] = answer?.$ref
    ? [answer.$ref.split('/').at(-1), ['components', 'responses']]
    : [String(status), ['paths', place, method, 'responses']]
  const content = answer?.$ref ? document.components.responses[name].content : answer?.content
  const steps = [...pointer, name, 'content', 'application/json', 'schema']
  const address = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const found = content?.['application/json'] ? ajv.compile({ $ref: `${RELEASED}#/${address}` }) : undefined
  validators.set(key, found)
  return found
}

/** Throws if a client of the last release could not read an answer. */
export function requireReleasedForm(route: Route | undefined, { status, body }: Answered): void {
  if (!process.env['RELEASED_CONTRACT'] || !route || status === 500) return
  const validate = validatorOf(route, status)
  if (!validate || validate(body)) return
  const errors = JSON.stringify(validate.errors?.slice(0, 3))
  throw new Error(`${route.operationId} ${status} is not as the last release says: ${errors}`)
}
