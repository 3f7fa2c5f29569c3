/** Row types of statements, read by the compiler: of `tx<Row[]>`, `reader<Row>(…)` and `pageOf<Row>(…)`. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import {
  type CallExpression,
  type Expression,
  type Node,
  type SourceFile,
  type TaggedTemplateExpression,
  isArrowFunction,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isReturnStatement,
  isTaggedTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast'
import { API, type Checker, type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'

/** Statement whose rows have a declared type; without names, the texts of its statement cannot be read from here. */
export type Declared = { readonly where: string; readonly names: readonly string[]; readonly row: Type }

/** Reads all typed statements of a project, for work that asks the checker about their types. */
export function readDeclared<Result>(
  root: string,
  use: (declared: readonly Declared[], checker: Checker) => Result,
): Result {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.build.json`] }).getProjects()[0]
    if (!project) throw new Error('no project')
    const files = project.rootFiles.filter((file) => TYPED.test(readFileSync(file, 'utf8')))
    return use(
      files.flatMap((file) => declaredIn(project, root, file)),
      project.checker,
    )
  } finally {
    api.close()
  }
}

/** Type arguments before a template, or of a call. */
const TYPED = /[\w>)]<[^=;]*>+[`(]/

function declaredIn(project: Project, root: string, file: string): Declared[] {
  const source = project.program.getSourceFile(file)
  if (!source) return []
  const names = new Names(project)
  return typedNodes(source).flatMap(({ node, statement }) => {
    const [argument] = node.typeArguments ?? []
    const type = argument && project.checker.getTypeFromTypeNode(argument)
    if (!type) return []
    const row = isTaggedTemplateExpression(node) ? elementOf(project.checker, type) : type
    if (row.flags & TypeFlags.TypeParameter) return []
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    return { where: `${relative(root, file)}:${line + 1}`, names: names.of(statement), row }
  })
}

/** Nodes with type arguments, and the expression that is their statement. */
function typedNodes(source: SourceFile): { node: TaggedTemplateExpression | CallExpression; statement: Expression }[] {
  const found: { node: TaggedTemplateExpression | CallExpression; statement: Expression }[] = []
  const visit = (node: Node): void => {
    if (isTaggedTemplateExpression(node) && node.typeArguments) found.push({ node, statement: node })
    else if (isCallExpression(node) && node.typeArguments?.length === 1 && takesStatement(node)) {
      const statement = node.arguments.at(-1)
      if (statement) found.push({ node, statement })
    }
    node.forEachChild(visit)
  }
  visit(source)
  return found
}

/** Functions whose last argument is a statement, and whose type argument is its row. */
const READERS = new Set(['reader', 'rows', 'read', 'pageOf', 'pageOfPerson'])

const takesStatement = ({ expression }: CallExpression): boolean =>
  isIdentifier(expression) ? READERS.has(expression.text) : isCallExpression(expression)

function elementOf(checker: Checker, type: Type): Type {
  const [element] = type.isTypeReference() ? checker.getTypeArguments(type) : []
  if (!element) throw new Error(`${checker.typeToString(type)} is no array of rows`)
  return element
}

const nameOf = (strings: readonly string[], head = ''): string =>
  createHash('sha1')
    .update([...strings, head].join('\0'))
    .digest('base64url')
    .slice(0, 16)

/** Finds the names that the recorder gives to what an expression of a statement can be. */
class Names {
  private readonly project: Project

  constructor(project: Project) {
    this.project = project
  }

  of(node: Expression): string[] {
    if (isTaggedTemplateExpression(node)) return this.ofTemplate(node)
    if (isParenthesizedExpression(node)) return this.of(node.expression)
    if (isConditionalExpression(node)) return [...this.of(node.whenTrue), ...this.of(node.whenFalse)]
    if (isCallExpression(node)) return this.returnedBy(node.expression)
    if (!isIdentifier(node)) return []
    const declaration = this.declarationOf(node)
    return declaration && isVariableDeclaration(declaration) && declaration.initializer
      ? this.of(declaration.initializer)
      : []
  }

  private ofTemplate({ template }: TaggedTemplateExpression): string[] {
    if (isNoSubstitutionTemplateLiteral(template)) return [nameOf([template.text])]
    const [span, ...spans] = template.templateSpans
    const strings = [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
    if (strings[0]?.trim() !== '' || !span) return [nameOf(strings)]
    const heads = this.of(span.expression)
    const wraps = spans.length === 0 && strings[1]?.trim() === ''
    return wraps ? heads : heads.map((head) => nameOf(strings, head))
  }

  private returnedBy(callee: Expression): string[] {
    const declaration = this.declarationOf(callee)
    const made = declaration && isVariableDeclaration(declaration) ? declaration.initializer : declaration
    if (!made || !(isArrowFunction(made) || isFunctionDeclaration(made) || isFunctionExpression(made))) return []
    const { body } = made
    if (!body) return []
    if (!isBlock(body)) return this.of(body)
    const found: string[] = []
    const visit = (node: Node): void => {
      if (isReturnStatement(node) && node.expression) found.push(...this.of(node.expression))
      else if (!isArrowFunction(node)) node.forEachChild(visit)
    }
    body.forEachChild(visit)
    return found
  }

  private declarationOf(node: Node): Node | undefined {
    const { checker } = this.project
    let symbol = checker.getSymbolAtLocation(node)
    if (symbol && symbol.flags & SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
    return symbol?.valueDeclaration?.resolve(this.project)
  }
}
