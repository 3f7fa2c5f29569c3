/**
 * Merkle sum tree: each node has the sum of what is below it, and its hash covers both sums and both hashes. A path
 * proves that a leaf is part of the sum of the root. A last node without a neighbour moves up as it is.
 */
import { canonicalJson } from '../canonical.ts'
import { toFixedText } from '../money/decimal.ts'

export type SumNode = { readonly hash: string; readonly sum: bigint }

/** Balance of an organization in a currency, at the instant of a proof. `nonce` hides it from its neighbour. */
export type FundsLeaf = {
  readonly organization_id: string
  readonly currency: string
  readonly nonce: string
  readonly available: string
  readonly held: string
}

/** Neighbour on the way to the root; `left` of it. */
export type Sibling = { readonly left: boolean; readonly hash: string; readonly sum: string }

export type SumTree = {
  /** Makes the node of a leaf. Throws for a negative sum: one could hide another's money. */
  readonly leaf: (leaf: FundsLeaf, sum: bigint) => SumNode
  readonly rootOf: (nodes: readonly SumNode[]) => SumNode
  /** Lists the neighbours of a node on its way up, lowest first. */
  readonly pathOf: (nodes: readonly SumNode[], index: number) => Sibling[]
  readonly write: (sum: bigint) => string
}

/** Makes a tree of amounts with these decimals; `hash` is SHA-256 of UTF-8, in hex. */
export function sumTree(decimals: number, hash: (text: string) => string): SumTree {
  const write = (sum: bigint) => toFixedText({ digits: sum, scale: decimals })
  const join = (left: SumNode, right: SumNode): SumNode => ({
    hash: hash(canonicalJson([left.hash, write(left.sum), right.hash, write(right.sum)])),
    sum: left.sum + right.sum,
  })
  const above = (nodes: readonly SumNode[]): SumNode[] =>
    pairsOf(nodes).map(([left, right]) => (right ? join(left, right) : left))
  return {
    write,
    leaf: (leaf, sum) => {
      if (sum < 0n) throw new Error(`organization ${leaf.organization_id} has less than nothing`)
      return { hash: hash(canonicalJson(leaf)), sum }
    },
    rootOf: (nodes) => {
      let level = nodes
      while (level.length > 1) level = above(level)
      return level[0] ?? { hash: hash('[]'), sum: 0n }
    },
    pathOf: (nodes, index) => {
      const path: Sibling[] = []
      let [level, at] = [nodes, index]
      while (level.length > 1) {
        const left = at % 2 === 1
        const sibling = level[left ? at - 1 : at + 1]
        if (sibling) path.push({ left, hash: sibling.hash, sum: write(sibling.sum) })
        level = above(level)
        at = Math.floor(at / 2)
      }
      return path
    },
  }
}

function pairsOf(nodes: readonly SumNode[]): [SumNode, SumNode | undefined][] {
  const pairs: [SumNode, SumNode | undefined][] = []
  for (let at = 0; at < nodes.length; at += 2) {
    const left = nodes[at]
    if (left) pairs.push([left, nodes[at + 1]])
  }
  return pairs
}
