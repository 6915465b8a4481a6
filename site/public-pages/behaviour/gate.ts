export const loadApp = () => import('../../app/start-app.tsx')
void loadApp
