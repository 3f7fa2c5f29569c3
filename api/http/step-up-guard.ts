/** Step-up on a request's way: whether a route asks for a fresh proof of identity, and how that ends. */
import { Refusal } from '../../domain/errors.ts'
import type { StepUpId } from '../../domain/ids.ts'
import { justSignedIn } from '../../db/people/sessions.ts'
import { releaseOf } from '../../db/step-up/step-ups.ts'
import type { AnyContext, Binding, Route } from './route.ts'

type Rule = NonNullable<Route['stepUp']>
/** What the proof is bound to, as far as the route says it. */
type Bound = Partial<Exclude<Binding<object, unknown>, { readonly answer: object }>>

/**
 * Does the deed under a verified step-up, which the deed's own transaction uses up, never this. Nothing is asked when
 * the deed is done already, when it needs no proof as things stand, or when signing in just now was proof enough.
 * Refuses `step_up_required` with a challenge: once that is verified, the caller repeats the same request.
 */
export async function withStepUp(route: Route, rule: Rule, context: AnyContext): Promise<object> {
  const bound: { readonly answer: object } | Bound = (await rule.bind?.(context)) ?? {}
  if ('answer' in bound) return bound.answer
  const release = bound.needless ? { stepUpId: null } : await released(route, rule, context, bound)
  if ('answer' in release) return release.answer
  try {
    return await route.handle({ ...context, stepUpId: release.stepUpId, found: bound.found })
  } catch (error) {
    // Another request used it up meanwhile: the caller gets a fresh challenge, as if there had been none.
    if (error instanceof Refusal && error.type === 'step_up_required') await requireStepUp(route, rule, context, bound)
    throw error
  }
}

/** What releases the request, or what the same request has answered that used it up since. */
async function released(
  route: Route,
  rule: Rule,
  context: AnyContext,
  bound: Bound,
): Promise<{ readonly stepUpId: StepUpId | null } | { readonly answer: object }> {
  try {
    return { stepUpId: await requireStepUp(route, rule, context, bound) }
  } catch (error) {
    const done = await rule.bind?.(context)
    if (done && 'answer' in done) return done
    throw error
  }
}

/** The verified step-up of this request, or null when the session's sign-in stands in for it; else its challenge. */
async function requireStepUp(
  { method, path, summary }: Route,
  { mode, unlessJustSignedIn }: Rule,
  { person, org, claim }: AnyContext,
  bound: Bound,
): Promise<StepUpId | null> {
  // route() compiles no such thing
  if (!person || !claim) throw new Error(`${path} has nobody to prove, or nothing to do`)
  if (unlessJustSignedIn && (await justSignedIn(person))) return null
  const release = await releaseOf({
    sessionId: person.sessionId,
    userId: person.userId,
    mode,
    operation: `${method.toUpperCase()} ${path}`,
    target: bound.target ?? (org ? `organization:${org.organizationId}` : `user:${person.userId}`),
    summary: bound.summary ?? summary,
    bodyHash: claim.bodyHash,
  })
  if ('released' in release) return release.released
  throw new Refusal('step_up_required', undefined, release.challenge)
}
