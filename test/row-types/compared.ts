/** Comparison of what statements returned with the row types that their callers declare. */
import { type Checker, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import type { Columns, Place, Seen } from './seen.ts'

/** Kinds in which the driver hands on types of Postgres, by oid; all others are texts (db/postgres/sql.ts). */
const KINDS: ReadonlyMap<number, string> = new Map([
  [16, 'boolean'],
  [17, 'bytes'],
  ...[21, 23, 26, 700, 701].map((oid) => [oid, 'number'] as const),
  ...[114, 3802].map((oid) => [oid, 'json'] as const),
  ...[199, 1000, 1001, 1002, 1003, 1005, 1007, 1009, 1014, 1015, 1016].map((oid) => [oid, 'array'] as const),
  ...[1021, 1022, 1028, 1182, 1185, 1187, 1231, 2951, 3807].map((oid) => [oid, 'array'] as const),
])

/** Lists what rows contradict of their declared type. */
export function listFaults(checker: Checker, row: Type, { columns, row: values }: Seen): string[] {
  const comparison = new Comparison(checker)
  const faults = columns.flatMap((list) => comparison.faultsOfColumns(row, list))
  return [...new Set([...faults, ...comparison.faultsOfMembers([row], values, '')])]
}

class Comparison {
  private readonly checker: Checker

  constructor(checker: Checker) {
    this.checker = checker
  }

  /** Compares names and types of columns, also of those that were always null. */
  faultsOfColumns(row: Type, columns: Columns): string[] {
    const names = columns.map(([name]) => name)
    const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} comes twice`)
    const mistyped = columns.flatMap(([name, oid]) => {
      const kind = KINDS.get(oid) ?? 'text'
      const types = this.typesOf([row], name)
      const isAlwaysNull = types.every(({ flags }) => flags & TypeFlags.Null)
      if (kind === 'json' || isAlwaysNull || this.take(types, kind)) return []
      return [`${name} is ${kind}, not ${this.say(types)}`]
    })
    return [...twice, ...this.lacking([row], names, ''), ...mistyped]
  }

  faultsOfMembers(objects: readonly Type[], { places }: Place, path: string): string[] {
    return [...places].flatMap(([name, place]) => {
      const types = name === '[]' ? [] : this.typesOf(objects, name)
      return types.length === 0 ? [] : this.faultsOfValue(types, place, `${path}${name}`)
    })
  }

  private faultsOfValue(types: readonly Type[], place: Place, path: string): string[] {
    const parts = types.flatMap((type) => this.partsOf(type))
    if (parts.some(({ flags }) => flags & TypeFlags.AnyOrUnknown)) return []
    const faults = [...place.facts].flatMap((fact) =>
      this.take(types, fact) ? [] : [`${path} is ${fact}, not ${this.say(types)}`],
    )
    const elements = place.places.get('[]')
    if (elements) {
      const lists = parts.flatMap((part) => (this.checker.isArrayLikeType(part) && part.isTypeReference() ? part : []))
      const ofLists = lists.flatMap((list) => this.checker.getTypeArguments(list))
      if (ofLists.length > 0) faults.push(...this.faultsOfValue(ofLists, elements, `${path}[]`))
    }
    if (place.members.length === 0) return faults
    const objects = parts.filter(
      ({ flags }) => flags & (TypeFlags.Object | TypeFlags.Intersection | TypeFlags.NonPrimitive),
    )
    if (objects.length === 0) return [...faults, `${path} is an object, not ${this.say(types)}`]
    const lacking = place.members.flatMap((members) => this.lacking(objects, members, `${path}.`))
    return [...faults, ...lacking, ...this.faultsOfMembers(objects, place, `${path}.`)]
  }

  /** Lists members that even the alternative that has most of its own lacks. */
  private lacking(types: readonly Type[], names: readonly string[], path: string): string[] {
    const missing = types
      .flatMap((type) => this.partsOf(type))
      .map((part) =>
        this.checker
          .getPropertiesOfType(part)
          .filter(({ name, flags }) => !(flags & SymbolFlags.Optional) && !names.includes(name)),
      )
    const [least = []] = missing.toSorted((one, other) => one.length - other.length)
    return least.map(({ name }) => `${path}${name} is missing`)
  }

  private typesOf(objects: readonly Type[], name: string): Type[] {
    return objects
      .flatMap((object) => this.partsOf(object))
      .flatMap((part) => {
        if (part.flags & TypeFlags.Primitive) return []
        const property = this.checker.getPropertyOfType(part, name)
        const type = property && this.checker.getTypeOfSymbol(property)
        return type ? [type] : this.checker.getIndexInfosOfType(part).map(({ valueType }) => valueType)
      })
  }

  private partsOf(type: Type): readonly Type[] {
    if (type.flags & TypeFlags.Instantiable && !(type.flags & TypeFlags.StringLike)) {
      return this.partsOf(this.checker.getBaseConstraintOfType(type) ?? this.checker.getUnknownType())
    }
    return type.isUnionType() ? type.getTypes() : [type]
  }

  private say(types: readonly Type[]): string {
    return [...new Set(types.map((type) => this.checker.typeToString(type)))].join(' | ')
  }

  private take(types: readonly Type[], fact: string): boolean {
    return types.flatMap((type) => this.partsOf(type)).some((part) => this.takes(part, fact))
  }

  /** Tells if an alternative of a type takes a kind of value, or a word. */
  private takes(part: Type, fact: string): boolean {
    const { flags } = part
    if (flags & TypeFlags.AnyOrUnknown) return true
    if (part.isIntersectionType()) return part.getTypes().some((type) => this.takes(type, fact))
    if (fact.startsWith('"') && part.isStringLiteralType()) return part.value === fact.slice(1)
    if (fact.startsWith('"') || fact === 'text') return (flags & TypeFlags.StringLike) !== 0
    if (fact === 'string') return (flags & TypeFlags.StringLike & ~TypeFlags.StringLiteral) !== 0
    if (fact === 'null') return (flags & TypeFlags.Null) !== 0
    if (fact === 'number') return (flags & TypeFlags.NumberLike) !== 0
    if (fact === 'boolean') return (flags & TypeFlags.BooleanLike) !== 0
    if (fact === 'array') return this.checker.isArrayLikeType(part)
    return /^(?:Buffer|Uint8Array)\b/.test(this.checker.typeToString(part))
  }
}
