/** Parameters that many operations have: once among the components, and a reference in each operation. */

type Parameter = { readonly $ref?: string; readonly name: string }
type Operation = { readonly parameters?: readonly Parameter[] }
type Paths<One extends Operation> = Readonly<Record<string, Readonly<Record<string, One>>>>

/** Uses from which a parameter is shared: a reference is a third of its size. */
const USES_MIN = 2

/** Moves repeated parameters to components. Of several with one name, the one with the most uses is shared. */
export function shareParameters<One extends Operation>(
  paths: Paths<One>,
): { readonly paths: Paths<One>; readonly parameters: Readonly<Record<string, Parameter>> } {
  const taken = new Set<string>() // names of components that are referred to already, such as that of a header
  const uses = new Map<string, { readonly parameter: Parameter; readonly count: number }>()
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const parameter of operation.parameters ?? []) {
      if (parameter.$ref) {
        taken.add(parameter.$ref.split('/').at(-1) ?? '')
        continue
      }
      const key = JSON.stringify(parameter)
      uses.set(key, { parameter, count: (uses.get(key)?.count ?? 0) + 1 })
    }
  const nameOf = (parameter: Parameter): string => {
    const name = pascalCase(parameter.name)
    return taken.has(name) ? `${name}Filter` : name
  }
  const shared = new Map<string, Parameter>()
  for (const { parameter, count } of [...uses.values()].toSorted((one, other) => other.count - one.count)) {
    const name = nameOf(parameter)
    if (count >= USES_MIN && !shared.has(name)) shared.set(name, parameter)
  }
  const refer = (parameter: Parameter): object => {
    const name = parameter.$ref ? '' : nameOf(parameter)
    const isShared = JSON.stringify(shared.get(name)) === JSON.stringify(parameter)
    return isShared ? { $ref: `#/components/parameters/${name}` } : parameter
  }
  const referred = mapValues(paths, (methods) =>
    mapValues(methods, (operation) =>
      operation.parameters ? { ...operation, parameters: operation.parameters.map(refer) } : operation,
    ),
  ) as Paths<One> // a reference stands for its parameter
  return { paths: referred, parameters: Object.fromEntries([...shared].toSorted()) }
}

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase())

export const mapValues = <Value, Result>(of: Readonly<Record<string, Value>>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))
