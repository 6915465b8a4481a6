/** In the order in which the site lists them. */
export const noticeKinds = ['budget', 'expiry', 'engine', 'configuration'] as const
