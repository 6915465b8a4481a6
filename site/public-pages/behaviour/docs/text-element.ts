export const textElement = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  text: string,
  className = '',
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  element.textContent = text
  if (className !== '') element.className = className
  return element
}
