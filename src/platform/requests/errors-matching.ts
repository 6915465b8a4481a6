import { errorCatalogue } from '../../base/error-catalogue.ts'

/**
 * The names of the errors that a text describes: part of the name, the code or the message, the status, or a whole message
 * with the values that were filled in, as it is copied from an answer.
 */
export const errorsMatching = (text: string): string[] => {
  const sought = text.toLowerCase()
  return Object.entries(errorCatalogue).flatMap(([name, { status, code, message }]) => {
    const words = [name, code ?? '', message].map((word) => word.toLowerCase())
    const isFound = words.some((word) => word.includes(sought)) || text === String(status) || isFilled(message, sought)
    return isFound ? [name] : []
  })
}

/** The parts between the placeholders stand in the text, in this order. */
const isFilled = (message: string, text: string): boolean => {
  let at = 0
  const parts = message.toLowerCase().split(/\{\w+\}/)
  // A message that is little more than a placeholder would fit anything.
  if (parts.join('').trim().length < leastFixed) return false
  return parts.every((part) => {
    const found = text.indexOf(part.trim(), at)
    at = found + part.trim().length
    return found !== -1
  })
}

const leastFixed = 12
