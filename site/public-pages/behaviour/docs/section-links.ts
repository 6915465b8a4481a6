/** Marks the part of the page that is being read in the contents at the side. */
export const startSectionLinks = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.on-this-page a')].map((link) => [link.hash.slice(1), link]),
  )
  if (links.size === 0) return
  const seen = new Set<string>()
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target.id)
        else seen.delete(target.id)
      }
      const current = [...links.keys()].find((id) => seen.has(id))
      if (current === undefined) return
      for (const [id, link] of links) {
        if (id === current) link.setAttribute('aria-current', 'true')
        else link.removeAttribute('aria-current')
      }
    },
    { rootMargin: '0px 0px -60% 0px' },
  )
  for (const section of document.querySelectorAll('main section[id]')) observer.observe(section)
}
