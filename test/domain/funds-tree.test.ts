/** Merkle sum tree: what a path proves, and what no path can be made for. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../domain/canonical.ts'
import { type FundsLeaf, type Sibling, type SumNode, sumTree } from '../../domain/funds/sum-tree.ts'
import { decimalOf } from '../../domain/money/decimal.ts'
import { always } from '../support/property.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const tree = sumTree(2, sha256)
const leafFor = (index: number, sum: bigint): FundsLeaf => ({
  organization_id: `o${index}`,
  currency: 'EUR',
  nonce: `n${index}`,
  available: tree.write(sum),
  held: '0.00',
})
const nodesOf = (sums: readonly bigint[]): SumNode[] => sums.map((sum, index) => tree.leaf(leafFor(index, sum), sum))

/** Climbs a path by its own arithmetic. */
function climb(node: SumNode, path: readonly Sibling[]): SumNode {
  let { hash, sum } = node
  for (const { left, hash: other, sum: text } of path) {
    const [own, beside] = [
      [hash, tree.write(sum)],
      [other, text],
    ]
    hash = sha256(canonicalJson(left ? [...beside, ...own] : [...own, ...beside]))
    sum += decimalOf(text).digits
  }
  return { hash, sum }
}

const sums = fc.array(fc.bigInt(0n, 10n ** 15n), { minLength: 1, maxLength: 70 })

test('the root has the sum of all leaves, and each leaf leads to it', () => {
  always(300, sums, (amounts) => {
    const nodes = nodesOf(amounts)
    const root = tree.rootOf(nodes)
    expect(root.sum).toBe(amounts.reduce((sum, one) => sum + one, 0n))
    for (const [index, node] of nodes.entries()) {
      const path = tree.pathOf(nodes, index)
      expect(climb(node, path)).toEqual(root)
      expect(path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(nodes.length)))
    }
  })
})

test('a tree of blocks is the tree of all leaves, and so are their paths', () => {
  always(200, sums, (amounts) => {
    const nodes = nodesOf(amounts)
    const blocks: SumNode[][] = []
    for (let at = 0; at < nodes.length; at += 8) blocks.push(nodes.slice(at, at + 8))
    const roots = blocks.map(tree.rootOf)
    expect(tree.rootOf(roots)).toEqual(tree.rootOf(nodes))
    for (const [at, block] of blocks.entries()) {
      for (const index of block.keys()) {
        const path = [...tree.pathOf(block, index), ...tree.pathOf(roots, at)]
        expect(path).toEqual(tree.pathOf(nodes, at * 8 + index))
      }
    }
  })
})

test('another balance, another sum on the way or another neighbour leads elsewhere', () => {
  always(200, sums, fc.nat(), fc.nat(), fc.bigInt(1n, 1000n), (amounts, at, step, more) => {
    const nodes = nodesOf(amounts)
    const [index, root] = [at % nodes.length, tree.rootOf(nodes)]
    const [path, own] = [tree.pathOf(nodes, index), amounts[index]!]
    expect(climb(tree.leaf(leafFor(index, own + more), own + more), path)).not.toEqual(root)
    expect(climb({ ...nodes[index]!, sum: own + more }, path).hash === root.hash && path.length > 0).toBe(false)
    if (path.length === 0) return
    const changed = structuredClone(path) as { left: boolean; hash: string; sum: string }[]
    const tampered = changed[step % path.length]!
    tampered.sum = tree.write(decimalOf(tampered.sum).digits + more)
    expect(climb(nodes[index]!, changed).hash).not.toBe(root.hash)
  })
})

test('two organizations of one balance have two leaves, and a balance below zero has none', () => {
  expect(tree.leaf(leafFor(1, 5n), 5n).hash).not.toBe(tree.leaf(leafFor(2, 5n), 5n).hash)
  expect(() => tree.leaf(leafFor(1, 0n), -1n)).toThrow(/less than nothing/)
})

test('a tree without leaves has a root of zero, which is no leaf', () => {
  expect(tree.rootOf([])).toEqual({ hash: sha256('[]'), sum: 0n })
})
