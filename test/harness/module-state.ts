import { parseSync } from 'vite'

type Node = { type: string; start: number; [field: string]: unknown }

/** Methods that change what they are called on. */
const changing = new Set([
  ...['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse', 'fill', 'copyWithin'],
  ...['set', 'add', 'delete', 'clear', 'append'],
])

/** What cannot change, or is never changed. */
const unchanging = /^(URL|RegExp|Error|TextEncoder|TextDecoder|Intl\..*)$/

/**
 * State of a module that can change, each with its line: variables at the top level, collections that are not declared readonly,
 * and changes of anything that is declared or imported there.
 */
export const moduleState = (path: string, text: string): string[] => {
  const found: string[] = []
  const report = (node: Node, what: string): void => {
    found.push(`${path}:${text.slice(0, node.start).split('\n').length} ${what}`)
  }
  const program: unknown = parseSync(path, text).program
  if (!isNode(program)) throw new Error(`${path} cannot be parsed`)
  const statements = nodes(program.body).map((one) => (isNode(one.declaration) ? one.declaration : one))
  const names = new Set(statements.flatMap(declaredNames))
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue
    if (statement.kind !== 'const') report(statement, `${statement.kind} at the top level`)
    for (const declared of nodes(statement.declarations))
      if (!isReadonly(declared)) visit(declared, (node) => isCreated(node, report), isFunction)
  }
  visit(program, (node) => {
    const target = changedBy(node)
    const name = target === null ? null : rootName(target)
    if (name !== null && names.has(name)) report(node, `changes ${name}`)
    if (node.type === 'PropertyDefinition' && node.static === true && node.readonly !== true)
      report(node, 'static property')
  })
  return found
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const isFunction = ({ type }: Node): boolean => /Function|^Class|^MethodDefinition/.test(type)

const visit = (node: Node, see: (node: Node) => void, isLeftOut: (node: Node) => boolean = () => false): void => {
  if (isLeftOut(node)) return
  see(node)
  for (const value of Object.values(node))
    for (const child of isNode(value) ? [value] : nodes(value)) visit(child, see, isLeftOut)
}

const declaredNames = (statement: Node): string[] => {
  const names: string[] = []
  const collect = (node: Node): void => {
    if (node.type === 'Identifier') names.push(String(node.name))
  }
  if (statement.type === 'ImportDeclaration')
    for (const { local } of nodes(statement.specifiers)) if (isNode(local)) collect(local)
  if (statement.type === 'VariableDeclaration')
    for (const { id } of nodes(statement.declarations)) if (isNode(id)) visit(id, collect)
  return names
}

const isReadonly = ({ id }: Node): boolean => {
  const annotation = isNode(id) && isNode(id.typeAnnotation) ? id.typeAnnotation.typeAnnotation : null
  const name = isNode(annotation) && isNode(annotation.typeName) ? annotation.typeName.name : ''
  return name === 'ReadonlyMap' || name === 'ReadonlySet'
}

const isCreated = (node: Node, report: (node: Node, what: string) => void): void => {
  if (node.type !== 'NewExpression' || !isNode(node.callee)) return
  const name = nameOf(node.callee)
  if (!unchanging.test(name)) report(node, `new ${name} at the top level`)
}

const nameOf = (node: Node): string =>
  node.type === 'MemberExpression' && isNode(node.object) && isNode(node.property)
    ? `${nameOf(node.object)}.${nameOf(node.property)}`
    : String(node.name)

/** What an assignment to a member, a deletion or a call changes. */
const changedBy = (node: Node): Node | null => {
  const target = { AssignmentExpression: node.left, UpdateExpression: node.argument }[node.type]
  if (isNode(target)) return target.type === 'MemberExpression' ? target : null
  if (node.type === 'UnaryExpression' && node.operator === 'delete' && isNode(node.argument)) return node.argument
  if (node.type !== 'CallExpression' || !isNode(node.callee) || node.callee.type !== 'MemberExpression') return null
  const { object, property } = node.callee
  const isChange = isNode(object) && isNode(property) && changing.has(String(property.name))
  return isChange && isNode(object) ? object : null
}

const rootName = (node: Node): string | null => {
  if (node.type === 'Identifier') return String(node.name)
  return node.type === 'MemberExpression' && isNode(node.object) ? rootName(node.object) : null
}
