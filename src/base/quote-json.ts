/** Everything but what has to be escaped (controls, quotation marks, backslashes) and halves of characters. */
const isPlain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** Up to here looking for what has to be escaped takes less time than the call of `JSON.stringify`. */
const shortLength = 64

/** The same as `JSON.stringify`, in a third of the time for the short texts of tokens. */
export const quoteJson = (text: string): string =>
  text.length <= shortLength && isPlain.test(text) ? `"${text}"` : JSON.stringify(text)
