/** Times of TCP connections, alike in every program. */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'

/**
 * Time for which a server of ours keeps an idle connection: longer than the pools of usual proxies keep theirs (60
 * seconds). The proxy has to close first, else it sends a request into a connection that is just closed: with the five
 * seconds of Node 6 of 504 requests were answered 502.
 */
export const IDLE_MS = 75_000

/**
 * Time to connect to one address of several, before the next one is tried. With the 250 ms of Node a far address is given
 * up although it answers: the packet to open a connection is repeated after a second only.
 */
export const ADDRESS_ATTEMPT_MS = 2000
setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_ATTEMPT_MS)
