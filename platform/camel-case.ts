/** Names of settings as members: `PUBLIC_URL` is `publicUrl`. */

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>
export type CamelCased<Values> = { readonly [Name in keyof Values & string as CamelCase<Name>]: Values[Name] }

/** Renames the members of an object. */
export function camelCased<Values extends object>(values: Values): CamelCased<Values> {
  const renamed = Object.entries(values).map(([name, value]) => [
    name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ])
  // the type describes what the line above does
  return Object.fromEntries(renamed) as CamelCased<Values>
}
