/** What the workflow of a swap records. Each is one transaction, and a repeat answers as the first time. */
import { config } from '../db/config.ts'
import type { OrganizationId, SwapId } from '../db/model/ids.ts'
import type { SwapStatus } from '../db/model/swap-flow.ts'
import { asSystem } from '../db/sql.ts'
import { closePosition, swapCover } from '../db/swaps.ts'

export type SwapRef = { readonly organizationId: OrganizationId; readonly swapId: SwapId }

/**
 * Where the swap stands, and how long to wait at first before a desk that refused is asked again.
 * @public the workflow calls it by its proxy
 */
export async function swapState({ organizationId, swapId }: SwapRef): Promise<SwapState> {
  const { status } = await asSystem(organizationId, (tx) => swapCover(tx, swapId))
  return { status, ask_again_seconds: config.partnerPollSeconds }
}

type SwapState = { status: SwapStatus; ask_again_seconds: number }

/**
 * Notes that our own position of a swap is closed.
 * @public the workflow calls it by its proxy
 */
export const markSwapCovered = ({ organizationId, swapId }: SwapRef): Promise<SwapStatus> =>
  asSystem(organizationId, (tx) => closePosition(tx, swapId))
