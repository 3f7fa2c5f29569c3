/** Forms that act: each asks the API once, with a proof of identity where it wants one, and leads on or shows why not. */
import { REFUSALS } from '../../domain/errors.ts'
import type { Markup } from '../../api/http/http.ts'
import { type Frame, Page, keepFields } from './layout.ts'
import { faultsOf, messageOf } from './messages.ts'
import { askWithProof } from './proof.ts'
import { toSignIn } from './return.ts'
import type { Answer, Fields, Method, RefusalView, Viewer } from './viewer.ts'

/** Call of the API that a form makes. */
export type ApiCall = {
  readonly method?: Exclude<Method, 'GET'>
  readonly path: string
  readonly body?: object
  /** Key with which a form that is sent again does its work once. */
  readonly key?: string
}

/** Why a form was not taken, for the page that has it. */
export type Fault = {
  readonly text: string
  readonly status: NonNullable<Frame['status']>
  /** Faults of single values, by their paths in the body. */
  readonly wrong: Readonly<Record<string, string>>
  /** Type of the refusal; null for what the page itself found. */
  readonly type: string | null
  readonly sent: Fields
}

export type Act = {
  readonly viewer: Viewer
  readonly form: Fields
  /** Id of the company of the page. */
  readonly company: string
  /** Id of the thing that the page is about. */
  readonly id: string
}

/** Value of a form that cannot be asked of the API. */
export class Unclear extends Error {
  constructor(
    override readonly message: string,
    readonly field?: string,
  ) {
    super(message)
  }
}

type Acts<Body> = {
  /** Says what the form asks; throws Unclear() for what cannot be asked. */
  readonly ask: (act: Act) => ApiCall | Promise<ApiCall>
  /** Address of the page that is shown then; or the page itself, for what may stand in no address. */
  readonly then: (body: Body, act: Act) => string | Page | Promise<Page | Response>
  /** Page that has the form, with what was entered, and why it was not taken. */
  readonly again: (viewer: Viewer, fault: Fault) => Page | Response | Promise<Page | Response>
}

/** Makes what takes a form. Its proof of identity carries all that was entered, so that nothing is entered twice. */
export const act =
  <Body = unknown>({ ask, then, again }: Acts<Body>) =>
  async (viewer: Viewer, form: Fields): Promise<Page | Response> => {
    const { req } = viewer.http
    const acting = { viewer, form, company: req.param('company') ?? '', id: req.param('id') ?? '' }
    let answer: Answer<Body> | Page
    try {
      answer = await askWithProof<Body>(viewer, form, await ask(acting))
    } catch (error) {
      if (!(error instanceof Unclear)) throw error
      return again(viewer, unclear(error, form))
    }
    if (answer instanceof Page) return answer
    if (answer.ok) {
      const next = await then(answer.body, acting)
      return typeof next === 'string' ? viewer.http.redirect(next, 303) : next
    }
    return answer.error.type === 'not_authenticated' ? toSignIn(viewer) : again(viewer, faultOf(answer.error, form))
  }

const unclear = ({ message, field }: Unclear, sent: Fields): Fault => ({
  text: message,
  status: 422,
  wrong: field === undefined ? {} : { [field]: message },
  type: null,
  sent,
})

/** Says a refusal on the page that has the form, and at the fields that it names. */
export function faultOf(error: RefusalView, sent: Fields): Fault {
  const text = messageOf(error)
  const path = error.details?.['path']
  const faults = faultsOf(error).filter((one) => typeof one.path === 'string')
  return {
    text,
    status: REFUSALS[error.type as keyof typeof REFUSALS][0] as NonNullable<Frame['status']>, // a type of ours
    wrong: {
      ...(typeof path === 'string' && { [path]: text }),
      ...Object.fromEntries(faults.map((one) => [one.path, one.message])),
    },
    type: error.type,
    sent,
  }
}

/** Keeps the values that a form shows, so that only what a person changes is sent. */
export const keepShown = (shown: Readonly<Record<string, string>>): Markup =>
  keepFields([['was', JSON.stringify(shown)]])

/** Reads the values of these names that are another text than was shown; null for what was emptied. */
export function readChanges<Name extends string>(
  form: Fields,
  names: readonly Name[],
): Readonly<Partial<Record<Name, string | null>>> {
  const was = readShown(form.get('was'))
  const sent = names.filter((name) => form.entries.some(([one]) => one === name))
  const changes = sent.filter((name) => form.get(name).trim() !== (was[name] ?? ''))
  return Object.fromEntries(changes.map((name) => [name, form.get(name).trim() || null])) as Partial<
    Record<Name, string | null> // of these names alone
  >
}

function readShown(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>> // compared with text alone
  } catch {
    return {}
  }
}
