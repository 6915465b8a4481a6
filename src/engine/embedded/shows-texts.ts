import type { ChatMessage, Conversation } from '../contract.ts'
import type { ChatTemplate } from './template.ts'
import { templateVariables } from './template-shapes.ts'

const [instructions, question, description] = ['first-8f2c', 'second-41d7', 'third-b06e']

const system: ChatMessage = { role: 'system', content: instructions }
const turns: readonly ChatMessage[] = [
  { role: 'user', content: question },
  { role: 'assistant', content: 'Yes.' },
  { role: 'user', content: 'Why?' },
]
const parameters = '{"type":"object","properties":{}}'
const tools = [{ name: 'look', description, parameters }]

/**
 * Whether a chat template writes what the system and the user say, also in earlier turns, and what tools are for. Found out with
 * examples. Earlier answers and their reasoning are left out by some templates.
 */
export const showsTexts = (render: ChatTemplate, hasTools: boolean): boolean => {
  const shows = (messages: readonly ChatMessage[], texts: readonly string[]): boolean | null => {
    const conversation = { messages, tools: hasTools ? tools : [], templateVariables: {}, opening: 'answer' } as const
    const rendered = renderOrNull(render, conversation)
    return rendered === null ? null : texts.every((text) => rendered.includes(text))
  }
  const wanted = hasTools ? [question, description] : [question]
  // Where a system message is refused, no prompt has one; where one is needed, every prompt has one.
  const [withSystem, without] = [shows([system, ...turns], [instructions, ...wanted]), shows(turns, wanted)]
  return (withSystem ?? true) && (without ?? true) && (withSystem ?? without ?? false)
}

type Rendered = Pick<Conversation, 'messages' | 'tools' | 'templateVariables' | 'opening'>

const renderOrNull = (render: ChatTemplate, conversation: Rendered): string | null => {
  try {
    return render(templateVariables(conversation, (text) => text))
  } catch {
    return null
  }
}
