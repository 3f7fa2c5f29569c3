import { allHandlersFinished, condition, defineUpdate, setHandler } from '@temporalio/workflow'

export const created = defineUpdate<{ id: string }>('created')
export const decide = defineUpdate<{ status: string }, [{ decision_id: string }]>('decide')

export async function empty(ref: { id: string }): Promise<void> {
  let decided = false
  setHandler(created, async () => ref)
  setHandler(decide, async () => {
    decided = true
    return { status: 'approved' }
  })
  await condition(() => decided, '30 days')
  await condition(allHandlersFinished)
}
