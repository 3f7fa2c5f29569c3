/** Closing a connection while one of its calls waits for a retry. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1')
const { connection, isAway, pingTemporal } = await import('../../../temporal/client.ts')
const TRANSIENT_FAILURE = 3 // of gRPC's connection states

test('the call fails as one at a Temporal that is away, and nothing is thrown in the background', async () => {
  const called = pingTemporal().catch((error: unknown) => error)
  // the call fails when it cannot connect, and waits for its retry from then on
  await vi.waitFor(() => expect(stateOf(connection)).toBe(TRANSIENT_FAILURE))
  await connection.close()
  expect(isAway(await called)).toBe(true)
})

/** The state of the connection, which is private to the client. */
const stateOf = (from: unknown): number =>
  (from as { client: { getChannel: () => { getConnectivityState: (connect: boolean) => number } } }).client
    .getChannel()
    .getConnectivityState(false)
