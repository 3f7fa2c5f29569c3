import * as v from 'valibot'

/** Refuses repeated items as `duplicate`, at the path of the repeat or of its field. `mayRepeat` lets a repeat pass. */
export const distinct = <Item>(
  keyOf: (item: Item) => string,
  field?: keyof Item & string,
  mayRepeat: (item: Item, first: Item) => boolean = () => false,
) =>
  v.rawCheck<Item[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const seen = new Map<string, Item>()
    for (const [key, item] of dataset.value.entries()) {
      const same = keyOf(item)
      const path = { type: 'array', origin: 'value', input: dataset.value, key, value: item } as const
      const inside =
        field && ({ type: 'object', origin: 'value', input: item as object, key: field, value: same } as const)
      const first = seen.get(same)
      if (first !== undefined && !mayRepeat(item, first))
        addIssue({ message: 'duplicate', path: inside ? [path, inside as never] : [path] })
      if (first === undefined) seen.set(same, item)
    }
  })
