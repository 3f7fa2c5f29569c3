import { justProved } from '../../services/people/assurance.ts'
import { releaseOf } from '../../services/step-up/step-ups.ts'
import { Refusal } from '../../domain/errors.ts'
import type { StepUpId } from '../../domain/ids.ts'
import type { AnyContext, Binding, Route } from './route.ts'

type Rule = NonNullable<Route['stepUp']>
type Bound = Partial<Exclude<Binding<object, unknown>, { readonly answer: object }>>

/** Runs the route under a verified step-up, which its own transaction uses up; else refuses with a challenge. */
export async function withStepUp(route: Route, rule: Rule, context: AnyContext): Promise<object> {
  const bound: { readonly answer: object } | Bound = (await rule.bind?.(context)) ?? {}
  if ('answer' in bound) return bound.answer
  let stepUpId: StepUpId | null = null
  try {
    if (!bound.needless) stepUpId = await requireStepUp(route, rule, context, bound)
  } catch (error) {
    // the same request may have used the step-up up meanwhile: then its answer is there now
    const done = await rule.bind?.(context)
    if (done && 'answer' in done) return done.answer
    throw error
  }
  try {
    return await route.handle({ ...context, stepUpId, found: bound.found })
  } catch (error) {
    // another request used it up meanwhile: the caller gets a fresh challenge, as if there had been none
    if (error instanceof Refusal && error.type === 'step_up_required') await requireStepUp(route, rule, context, bound)
    throw error
  }
}

/** Finds the step-up of this request; null after a fresh sign-in with a proof. Else refuses with a challenge. */
async function requireStepUp(
  { method, path, summary }: Route,
  { mode, unlessJustProved, weakens = false }: Rule,
  { person, org, claim }: AnyContext,
  bound: Bound,
): Promise<StepUpId | null> {
  if (!person || !claim) throw new Error(`${path} has no person, or nothing to do`)
  if (unlessJustProved && (await justProved(person))) return null
  const { summary: words = summary } = bound
  const binding = {
    sessionId: person.sessionId,
    userId: person.userId,
    mode,
    operation: `${method.toUpperCase()} ${path}`,
    target: bound.target ?? (org ? `organization:${org.organizationId}` : `user:${person.userId}`),
    payment: bound.payment ?? null,
    weakens,
    bodyHash: claim.bodyHash,
  }
  const release = await releaseOf(binding, async () => (typeof words === 'string' ? words : words()))
  if ('released' in release) return release.released
  throw new Refusal('step_up_required', undefined, release.challenge)
}
