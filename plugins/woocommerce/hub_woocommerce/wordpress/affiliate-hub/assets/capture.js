/* Keeps the click of an affiliate's link until the order. In JavaScript, since cached pages run no PHP. */
(function () {
	'use strict';
	var known = window.affiliateHubCapture || {};
	var secure = window.location.protocol === 'https:' ? '; Secure' : '';

	// Nothing that fails in here may be felt by the shop.
	function quietly(action) {
		return function () {
			try {
				action();
			} catch (refused) {
			}
		};
	}

	function write(value, age) {
		document.cookie = 'affiliate_click_id=' + value + '; Path=/; SameSite=Lax; Max-Age=' + age + secure;
	}

	// The server sets the same cookie once more: Safari keeps one of a script for seven days only.
	function ask(id, days) {
		if (!known.url || !window.fetch) {
			return;
		}
		window.fetch(known.url, {
			method: 'POST',
			keepalive: true,
			credentials: 'same-origin',
			headers: { 'Content-Type': 'application/json', 'X-Affiliate-Hub': 'capture' },
			body: JSON.stringify({ click: id, days: days })
		}).catch(function () {});
	}

	function hasConsent() {
		return !window.wp_has_consent || window.wp_has_consent('marketing');
	}

	var start = quietly(function () {
		var query = new URLSearchParams(window.location.search);
		var id = query.get('affiliate_click_id');
		if (!id || !/^[A-Za-z0-9_-]{1,128}$/.test(id) || !hasConsent()) {
			return;
		}
		// The shop's own days, else the campaign's.
		var days = /^[1-9][0-9]{0,3}$/.test(query.get('aff_days')) ? Number(query.get('aff_days')) : 30;
		days = Number(known.days) || days;
		write(id, days * 86400);
		ask(id, days);
	});

	// The WP Consent API: a tool says later which kind of consent it asks for, and what the visitor chose.
	if (window.wp_has_consent) {
		document.addEventListener('wp_consent_type_defined', start);
		document.addEventListener('wp_listen_for_consent_change', function () {
			quietly(function () {
				if (!hasConsent()) {
					write('', 0);
				}
			})();
			start();
		});
		if (!window.wp_consent_type) {
			window.addEventListener('load', start);
			return;
		}
	}
	start();
})();
