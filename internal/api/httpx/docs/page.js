// The calls of the contract, to be read: the page sends none of them.
const nothing = () => () => null

SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  // The page has a heading, and no call is sent that would need a session.
  plugins: [{ wrapComponents: { InfoContainer: nothing, SchemesContainer: nothing } }],
})
