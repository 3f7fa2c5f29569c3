/** Way to the sign-in and back: which addresses it leads back to. */
import type { Viewer } from './viewer.ts'

const HOME = '/'
/** Addresses of ours that a sign-in leads back to, with their queries; all else leads to the start. */
const OWN_ADDRESS = /^\/(?:(?:approve|operate|o|me)(?:\/[\w-]+)*|authorize(?=\?))?(?:\?[\w.~%+&=*:,-]*)?$/

/** Returns an address of ours, or the start in place of any other. */
export const nextOf = (asked: string): string => (OWN_ADDRESS.test(asked) ? asked : HOME)

/** Sends a caller without a session to the sign-in, and from there back to a page of ours. */
export function toSignIn({ http }: Viewer, next?: string): Response {
  const page = http.req.path.replace(/\/(?:approve|reject|set|passkeys|remove|end)$/, '')
  const { search } = new URL(http.req.url)
  const back = next ?? (http.req.method === 'GET' ? http.req.path + search : page)
  return http.redirect(`/sign-in?next=${encodeURIComponent(nextOf(back))}`, 303)
}
