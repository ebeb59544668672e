/* Keeps the click of an affiliate's link until the order. In JavaScript, since cached pages run no PHP. */
(function () {
	'use strict';
	try {
		var id = new URLSearchParams(window.location.search).get('affiliate_click_id');
		if (!id || !/^[A-Za-z0-9_-]{1,128}$/.test(id)) {
			return;
		}
		var days = Number((window.affiliateHubCapture || {}).days) || 30;
		var secure = window.location.protocol === 'https:' ? '; Secure' : '';
		document.cookie = 'affiliate_click_id=' + id + '; Path=/; SameSite=Lax; Max-Age=' + days * 86400 + secure;
	} catch (refused) {
		// Nothing that fails here may be felt by the shop.
	}
})();
