/** Starts Swagger UI on the description of this site. Requests go to the site with the session of the browser. */
export const DOCS_SCRIPT = `const place = document.getElementById('api');
SwaggerUIBundle({
  url: place.dataset.description,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
  tryItOutEnabled: true,
  displayRequestDuration: true,
});
`;
